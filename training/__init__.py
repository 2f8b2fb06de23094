"""How the reader that ships in gate/models/reader is made: data, rules, training, export, evaluation."""
