return case {}
